import hmac
from hashlib import sha256
from secrets import token_bytes


class Fence:
    """Marks around material in a prompt that nobody can guess who wrote the material.

    A keyed hash of the content, under a key that never leaves the process. The same content is
    fenced the same way again, so that a provider's prompt cache still works.
    """

    def __init__(self) -> None:
        self._key = token_bytes(32)

    def around(self, *content: str) -> str:
        digest = hmac.new(self._key, digestmod=sha256)
        for part in content:
            digest.update(sha256(part.encode("utf-8", "surrogatepass")).digest())
        return f"data-{digest.hexdigest()[:24]}"
