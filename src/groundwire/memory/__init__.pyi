from groundwire.memory._memory import Memory as Memory
from groundwire.memory._recall import FactFilter as FactFilter
from groundwire.memory._sources import GivenSources as GivenSources
from groundwire.memory._store import MEMORY_NAME as MEMORY_NAME, MemoryStore as MemoryStore
