"""One file per agent product; the registry of `groundwire.traces` names them."""
