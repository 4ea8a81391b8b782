"""What mkdocs.yml cannot say: the contents are those of docs/README.md, and links out of docs lead to the repository."""

import posixpath
import re
from pathlib import Path

DOCS = Path(__file__).parent
LINK = re.compile(r"(\]\()([^)\s:#]+)((?:#[^)\s]*)?\))")
ENTRY = re.compile(r"- \[([^]]+)\]\(([^)]+)\)")


def repository(config, page, target):
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
    return f"{config.repo_url}/{'tree' if (DOCS.parent / path).is_dir() else 'blob'}/main/{path}"


def is_in_site(page, target):
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    return path.endswith((".md", ".svg", ".png")) and not path.startswith("../") and (DOCS / path).is_file()


def on_config(config):
    sections = [{"Manual": ["README.md"]}]
    for line in (DOCS / "README.md").read_text().splitlines():
        entry = ENTRY.match(line)
        if line.startswith("## "):
            sections.append({line[3:]: []})
        elif entry:
            title, target = entry.groups()
            inside = is_in_site("README.md", target)
            next(iter(sections[-1].values())).append({title: target if inside else repository(config, "README.md", target)})
    config.nav = sections
    return config


def on_page_markdown(markdown, page, config, files):
    source = page.file.src_uri

    def lead(link):
        start, target, end = link.groups()
        return link.group() if is_in_site(source, target) else start + repository(config, source, target) + end

    return LINK.sub(lead, markdown)
