from groundwire.graph._ckg import (
    CausalKnowledgeGraph as CausalKnowledgeGraph,
    belief_of as belief_of,
    causal_chains as causal_chains,
    coverage_of as coverage_of,
)
from groundwire.graph._export import to_graphml as to_graphml, to_mermaid as to_mermaid
from groundwire.graph._file import (
    GraphProblem as GraphProblem,
    changed_sources as changed_sources,
    load_graph as load_graph,
    save_graph as save_graph,
)
from groundwire.graph._fixes import find_fixes as find_fixes
from groundwire.graph._formats import (
    to_csv as to_csv,
    to_dot as to_dot,
    to_gml as to_gml,
    to_json_ld as to_json_ld,
    to_node_link as to_node_link,
)
from groundwire.graph._match import (
    Embedder as Embedder,
    Match as Match,
    Matcher as Matcher,
    Refutes as Refutes,
)
from groundwire.graph._meaning import Bears as Bears, Tells as Tells
from groundwire.graph._picture import (
    to_html as to_html,
    to_svg as to_svg,
)
