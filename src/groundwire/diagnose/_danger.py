"""Commands that destroy, lock out or open up: what is never suggested to anybody.

A fix may once have been `rm -rf`; whoever reads a diagnosis in a hurry must not find it there.
"""

import re

from groundwire._patterns import lazy_pattern

LEFT_OUT = "[a dangerous command is left out]"
_REST = r"[^`\n]*"
_COMMANDS = (
    # files and disks: "rm -rf /data", "dd if=x of=/dev/sda", "mkfs.ext4 /dev/sdb"
    rf"(?:sudo\s+)?rm\s+(?:-\w+\s+)*-\w*[rRf]\w*{_REST}",
    rf"rmdir\s+/s{_REST}|del\s+(?:/\w\s+)+{_REST}|remove-item\b[^`\n]*-recurse{_REST}|format\s+[a-z]:{_REST}",
    rf"mkfs(?:\.\w+)?\s{_REST}|wipefs\s{_REST}|fdisk\s{_REST}|shred\s+[-/\w]{_REST}",
    rf"dd\s+(?:\w+=\S+\s+)*of=/dev/{_REST}|>\s*/dev/(?:sd|nvme|hd|disk){_REST}",
    rf"find\s[^`\n]*\s-delete\b{_REST}|truncate\s+-s\s*0\s{_REST}",
    rf"chmod\s+(?:-R\s+)?0?777{_REST}|chown\s+-R\s[^`\n]*\s/{_REST}",
    # databases: "DROP TABLE users", "DELETE FROM orders;"
    rf"drop\s+(?:table|database|schema|index|keyspace|collection)\s+\S{_REST}",
    rf"truncate\s+table\s{_REST}|delete\s+from\s+\w+\s*(?:;|$|`)|flush(?:all|db)\b|db\.drop\w*\(\)",
    # clusters and clouds
    rf"kubectl\s+(?:delete|drain|replace\s+--force){_REST}|helm\s+(?:uninstall|delete)\s{_REST}",
    rf"terraform\s+(?:destroy|apply[^`\n]*-auto-approve){_REST}|etcdctl\s+del\s{_REST}",
    rf"aws\s[^`\n]*\b(?:delete-|terminate-|rm\s+--recursive|rb\s+--force){_REST}",
    rf"(?:gcloud|az)\s[^`\n]*\bdelete\b{_REST}|docker\s+(?:system|volume|image)\s+prune{_REST}",
    # history: "git push --force", "git reset --hard"
    rf"git\s+(?:push\s[^`\n]*(?:--force|-f)\b|reset\s+--hard|clean\s+-\w*[dfx]){_REST}",
    # the machine itself
    rf"(?:sudo\s+)?(?:shutdown|poweroff|halt|init\s+0|reboot)\s+(?:-\w+|now|\+\d){_REST}",
    rf"kill\s+-(?:9|KILL)\s+(?:-1|1)\b{_REST}|killall\s{_REST}|:\(\)\s*\{{{_REST}",
    # doors: "curl … | sh", "iptables -F", "setenforce 0"
    rf"(?:curl|wget)\s[^`\n|]*\|\s*(?:sudo\s+)?(?:ba|z)?sh\b{_REST}",
    rf"iptables\s+-(?:F|-flush|X){_REST}|ufw\s+disable|setenforce\s+0|userdel\s{_REST}",
)
_PROSE = (
    # such as "wipe the disk", "drop the production database", "disable the firewall"
    (
        r"(?:wipe|format|erase|drop|destroy|purge)\s+(?:the\s+|all\s+|your\s+)?(?:\w+\s+){0,2}"
        r"(?:disks?|drives?|databases?|tables?|volumes?|partitions?|buckets?|clusters?|backups?|data)\b"
    ),
    (
        r"delete\s+(?:the\s+|all\s+|your\s+)(?:\w+\s+){0,2}(?:databases?|tables?|volumes?|buckets?"
        r"|clusters?|backups?|data|files|namespaces?)\b"
    ),
    (
        r"(?:disable|turn\s+off|switch\s+off|bypass)\s+(?:the\s+|all\s+)?(?:\w+\s+){0,1}"
        r"(?:firewall|authentication|encryption|safety\s+\w+|interlocks?|protection\s+relays?|audit\s+log\w*)\b"
    ),
)
# such as "rm -rf /", "drop the table"
_DANGEROUS = lazy_pattern("|".join(rf"(?:{one})" for one in (*_COMMANDS, *_PROSE)), re.IGNORECASE)
# what a name or a path goes on with
_BOUND = lazy_pattern(r"[\w/.:]")


def is_dangerous(text: str) -> bool:
    return any(True for _ in _found(text))


def without_danger(text: str) -> str:
    """The text with every such command left out, and that said."""
    for match in reversed(list(_found(text))):
        text = f"{text[: match.start()]}{LEFT_OUT}{text[match.end() :]}"
    return text


def _found(text: str) -> "list[re.Match[str]]":
    """Whole words only: "firm -rf" is no "rm -rf"."""
    return [
        match
        for match in _DANGEROUS.finditer(text)
        if match.start() == 0
        or not (_BOUND.match(text[match.start() - 1]) and match[0][0].isalnum())
    ]
