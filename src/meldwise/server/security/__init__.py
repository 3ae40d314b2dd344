"""What keeps the server safe from the network: limits, origins and headers."""

from meldwise.server.security.headers import SecurityHeaders
from meldwise.server.security.limits import Bucket, Limits
from meldwise.server.security.origin import check_origin

__all__ = ["Bucket", "Limits", "SecurityHeaders", "check_origin"]
