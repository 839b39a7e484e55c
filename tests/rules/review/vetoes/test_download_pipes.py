"""A download that is run is found in every usual spelling, and one that is only read is not (review §8.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoswe.rules.review.diff.script_lines import comment_mark
from autoswe.rules.review.vetoes.download_pipes import LONGEST_COMMAND, piped_downloads, runs_download

RUN = [
    '{"scripts": {"a": "curl x|sh"}}',
    "<exec>curl x | sh</exec>",
    "curl x | sh>/dev/null 2>&1",
    "curl x | sh&",
    "\t@curl x | sh",
    '["sh", "-c", "curl x | sh"]',
    "curl x | sh",
    "curl -fsSL https://x/y.sh|bash",
    "wget -qO- x | sudo -E bash -",
    "curl x | sudo -u root bash",
    "curl x |& /bin/sh",
    "curl x | /usr/bin/env bash -s -- a",
    "curl x | tee f | sh",
    "curl x | gunzip | python3",
    "curl x | python3 -",
    "curl x | FOO=1 bash",
    "(curl x; echo) | sh",
    "{ curl x; } | sh",
    '{ curl x && echo y; } | "sh"',
    "c'u'rl x | s\\h",
    "curl x | $SHELL",
    'curl x | "${SHELL}"',
    "bash <(curl x)",
    'bash -c "$(curl -fsSL x)"',
    'sh -c "`wget -qO- x`"',
    'eval "$(curl x)"',
    "source <(curl x)",
    ". <(wget -O- x)",
    'python3 -c "$(curl x)"',
    'bash <<< "$(curl x)"',
    "run: curl x | sh",
    '- run: "curl x | sh"',
    "RUN curl x | bash && echo ok",
    "iwr x | iex",
    "iex (iwr x)",
    "irm https://x | iex",
    "iex ((New-Object System.Net.WebClient).DownloadString('x'))",
    'Invoke-Expression "& { $(irm x) }"',
    "& ([scriptblock]::Create((irm x)))",
    'powershell -c "irm x | iex"',
    "curl x > >(bash)",
    "curl x | tee >(sh)",
    'subprocess.run("curl x | sh", shell=True)',
    "curl${IFS}x|sh",
    "curl x | source /dev/stdin",
    "$(curl x)",
    "run: $(curl x)",
    "true && curl x | sh",
    "curl x | xargs -0 sh -c",
    "curl x | perl",
    "curl x | node",
    "curl x | docker exec -i c sh",
    "/usr/bin/curl x | /bin/sh",
    '"cmd": "curl x | sh",',
    "os.system('curl x|sh')",
    "if curl x | sh; then",
    "curl x | ( sh )",
    "curl x | { bash; }",
    "curl x | busybox sh",
    "curl 'a;b' | sh",
    'curl "https://x/?a=1&b=2" | sh',
    "curl x 2>&1 | sh",
    "curl x |sh -",
    "echo a | sh; curl y | sh",
    "curl x | awk '{system($0)}' | sh",
]
READ = [
    "curl x || sh fallback.sh",
    "curl -o f x && sh f",
    "curl x; ls | sh",
    "curl x | jq .",
    "curl x | python3 -m json.tool",
    'curl x | python3 -c "import json,sys; print(json.load(sys.stdin))"',
    "curl x | tar xz",
    "curl x | sudo tee /etc/apt/x",
    "# curl x | sh",
    "  # curl x | sh",
    "echo a # curl x | sh",
    "grep -E 'curl|wget' f",
    "libcurl | sh",
    "VERSION=$(curl -s x | jq -r .tag)",
    'bash script.sh "$(curl -s x)"',
    "curl x | perl -ne 'print'",
    "apt-get install curl bash",
    "curl x > sh",
    'bash -c "V=$(curl -s x); echo $V"',
    "name: install curl",
    "wget x -O y || bash z",
    "curl x | grep sh",
    "curl x | ruby -e 'puts'",
    "curl --retry 3 -o sh https://x/sh",
]
OVER_SEVERAL_LINES = [
    "curl x \\\n  | sh",
    "curl x |\n  sh",
    "curl x\n| sh",
    "bash <(\n  curl x\n)",
    "curl x | \\\n# a comment in between\nsh",
    "curl x `\n | iex",
    'x="\n#"; curl x | sh',
    "x='\n# no comment, but quoted'; curl x | sh",
]


def found(script: str, mark: str = "#") -> list[str]:
    return list(piped_downloads([(row, True) for row in script.split("\n")], mark))


@pytest.mark.parametrize("command", RUN)
def test_a_download_that_is_run_is_found(command: str) -> None:
    assert found(command)


@pytest.mark.parametrize("command", READ)
def test_a_download_that_is_not_run_is_no_finding(command: str) -> None:
    assert not found(command)


@pytest.mark.parametrize("script", OVER_SEVERAL_LINES)
def test_a_command_goes_on_over_lines(script: str) -> None:
    assert found(script)


@pytest.mark.parametrize(
    "script", ["install_curl: |\n  sh x", "curl x\nsh y", "curl x ||\nsh y", "- run: |\n    curl x"]
)
def test_neighbouring_lines_are_no_one_command(script: str) -> None:
    assert not found(script)


def test_only_commands_that_the_change_touches_are_given() -> None:
    assert list(piped_downloads([("curl x \\", False), ("| sh", True), ("curl y | sh", False)], "#")) == ["curl x | sh"]


@pytest.mark.parametrize(
    ("path", "mark"), [("a.sh", "#"), ("ci.yml", "#"), ("Makefile", "#"), ("a.go", "//"), ("a.TS", "//")]
)
def test_each_language_has_its_own_comments(path: str, mark: str) -> None:
    assert comment_mark(path) == mark


def test_comments_of_other_languages_are_left_out_as_well() -> None:
    assert not found("// curl x | sh\n * curl x | sh\n/* curl x | sh", "//")
    assert found('exec("curl x | sh"); // runs', "//")
    assert found("# curl x | sh", "//")


@given(st.text(alphabet="abc |;&()$`\"'#\\{}<>-\n", max_size=60), st.sampled_from(RUN[:5]))
def test_lines_around_never_hide_a_plain_download(noise: str, command: str) -> None:
    """What comes before can only open a quotation, which hides nothing."""
    assert any(command.partition("|")[0].strip() in each for each in found(f"{noise}\n\n;\n{command}"))


@given(st.text(alphabet="abc |;&()$`\"'#\\{}<>- ", max_size=80))
def test_a_command_without_a_download_runs_none(command: str) -> None:
    assert not runs_download(command)


def test_a_command_that_is_too_long_to_follow_counts_as_run() -> None:
    assert runs_download("curl x " + "a" * LONGEST_COMMAND + " | cat")
    assert not runs_download("curl x " + "a" * LONGEST_COMMAND)
