"""The referee: deals, asks, judges, records. It knows no tournament; matches come in, records go out."""
