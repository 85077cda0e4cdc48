from groundwire.agents.adapters._haystack import (
    HaystackCheck as HaystackCheck,
    haystack_tools as haystack_tools,
)
from groundwire.agents.adapters._langchain import (
    langchain_check as langchain_check,
    langchain_tools as langchain_tools,
    langgraph_node as langgraph_node,
)
from groundwire.agents.adapters._llama_index import (
    LlamaIndexEvaluator as LlamaIndexEvaluator,
    llama_index_tools as llama_index_tools,
)
from groundwire.agents.adapters._openai_agents import (
    openai_agents_guardrail as openai_agents_guardrail,
    openai_agents_tools as openai_agents_tools,
)
from groundwire.agents.adapters._pydantic_ai import (
    pydantic_ai_tools as pydantic_ai_tools,
    pydantic_ai_validator as pydantic_ai_validator,
)
