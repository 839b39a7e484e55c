# Each target installs what it needs from python3, make, git and Node alone; a stamp remembers what is installed.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
INSTALL := $(RUN)/uv pip install --quiet --python $(RUN)/python
LOCAL := $(VENV)/.local
CLOUD := $(VENV)/.cloud
ALL := $(VENV)/.all
MUTANTS := $(VENV)/.mutants

# Each of the many processes that a test run starts would compile the product anew.
export PYTHONDONTWRITEBYTECODE =

.PHONY: help demo test lint synth bench faults mutants sentences soak serve lock clean

help: ## say what each target does
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

STORY ?= feedback
DEMO_feedback = infra.local.feedback.demo $(if $(REPO),--repo $(REPO))
DEMO_review = infra.local.review.demo

demo: $(LOCAL) ## play one feedback round on this machine (REPO=PATH takes another repository), or STORY=review
	@$(RUN)/python -m $(or $(DEMO_$(STORY)),$(error there is no story $(STORY): take feedback or review))

serve: $(LOCAL) ## keep the local assembly running
	@$(RUN)/autoswe serve

test: lint ## run every check that a change must pass
	$(RUN)/pytest

lint: $(ALL) ## check format, style, types, dependencies and architecture
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/mypy
	$(RUN)/lint-imports --no-logo
	$(RUN)/deptry .

synth: $(CLOUD) ## write the CloudFormation template to cdk.out
	$(RUN)/python -m infra.cloud.app

bench: $(ALL) ## measure cold start, warm handling, the cost of a round, judging and scanning
	$(RUN)/python -m tests.bench

faults: $(ALL) ## fail every call of a round in every way (ARGS=--help names the parts)
	$(RUN)/python -W ignore -m tests.faults $(ARGS)

mutants: $(MUTANTS) ## mutate the rules and list the mutants that no test notices
	@$(RUN)/python -m tests.mutants $(ARGS)

sentences: $(ALL) ## turn every branch that keeps a requirement into its opposite and list what no test notices
	@$(RUN)/python -m tests.sentences --invert $(ARGS)

soak: $(ALL) ## run the tests that are too long for make test, and the rules' properties on many more examples
	$(RUN)/pytest -m soak $(ARGS)
	$(RUN)/pytest -m hypothesis --hypothesis-profile=soak tests/rules

lock: ## resolve the requirement files anew (needs uv)
	bash infra/lock_requirements.sh

clean: ## remove what the other targets made
	rm -rf $(VENV) cdk.out

$(RUN)/uv: infra/installer.txt
	@echo "making $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement infra/installer.txt
	@touch $@

$(LOCAL): $(RUN)/uv infra/local/requirements.txt pyproject.toml
	@echo "installing the local assembly (once)"
	@$(INSTALL) --require-hashes --requirement infra/local/requirements.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(CLOUD): $(RUN)/uv infra/cloud/requirements.txt
	@echo "installing CDK (once)"
	@$(INSTALL) --require-hashes --requirement infra/cloud/requirements.txt
	@touch $@

$(ALL): $(LOCAL) tests/requirements.txt
	@echo "installing the checks (once)"
	@$(INSTALL) --require-hashes --requirement tests/requirements.txt
	@touch $@

$(MUTANTS): $(ALL) tests/mutants/requirements.txt
	@echo "installing the mutation tool (once)"
	@$(INSTALL) --require-hashes --requirement tests/mutants/requirements.txt
	@touch $@
