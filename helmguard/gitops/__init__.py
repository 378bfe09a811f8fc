"""What a GitOps repository declares: releases, their charts and values. Pure: files come through a `Tree`."""
