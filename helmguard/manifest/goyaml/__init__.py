"""YAML as Go reads it: sigs.k8s.io/yaml 1.6.0, which Helm 3, Helm 4 and kubectl use.

Two ways lead to the same answer:

* ``fast``    libyaml's events straight into Python values; taken by nearly every document;
* ``nodes`` + ``decode``   a node tree, for anchors, aliases, merge keys, tags and unusual keys.

libyaml and Go's scanner (a port of an older libyaml) disagree on a few inputs. Where that may matter
(``doubts``), and wherever libyaml reports an error, ``reader``, ``scanner`` and ``events`` read the text
again exactly as Go does. That is slow and rare.

``helmguard.manifest.yaml`` is the door to all of this.
"""
