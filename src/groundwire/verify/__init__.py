"""Evidence to verdict: what a text, an edge, a trace or an agent says, tested."""
