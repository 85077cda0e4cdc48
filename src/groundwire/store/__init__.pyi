from groundwire.store._sqlite import (
    Database as Database,
    Migration as Migration,
    write_whole as write_whole,
)
