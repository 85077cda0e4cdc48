from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Base of everything that flows: immutable, and strict about its own fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
