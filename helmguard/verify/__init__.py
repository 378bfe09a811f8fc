"""After Helm: actual objects beside predicted ones, rollouts, hooks' results, and the packs' own steps."""
