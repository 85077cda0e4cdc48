from groundwire.store._files import write_whole as write_whole
from groundwire.store._sqlite import Database as Database, Migration as Migration
