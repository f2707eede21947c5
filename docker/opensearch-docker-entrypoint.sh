#!/bin/bash
# Entry point of the image, with the contract of the product's: without arguments, with options, or with the command
# [opensearch] it starts a node, whose settings are the variables with a dot in their names; it runs any other command.
set -e

export OPENSEARCH_HOME=${OPENSEARCH_HOME:-/usr/share/opensearch}
export OPENSEARCH_PATH_CONF=${OPENSEARCH_PATH_CONF:-$OPENSEARCH_HOME/config}
export PATH=$OPENSEARCH_HOME/bin:$PATH

if [ $# -eq 0 ] || [ "${1:0:1}" = "-" ]; then
  set -- opensearch "$@"
fi
if [ "$1" != "opensearch" ]; then
  exec "$@"
fi

if [ "$(id -u)" = 0 ]; then
  echo "OpenSearch cannot run as root. Please start your container as another user." >&2
  exit 1
fi

# Files of the node are writable for its group, too.
umask 0002

settings=()
while IFS= read -r -d "" variable; do
  name=${variable%%=*}
  value=${variable#*=}
  # As in the product, a setting has at least two words with a dot between them; [processors] is the exception.
  if [[ "$name" =~ ^[a-z0-9_]+\.[a-z0-9_]+ || "$name" = processors ]] && [ -n "$value" ]; then
    settings+=("-E$name=$value")
  fi
done < <(env -0)

case "$DISABLE_SECURITY_PLUGIN" in
  true) settings+=("-Eplugins.security.disabled=true") ;;
  false) settings+=("-Eplugins.security.disabled=false") ;;
esac
for name in OPENSEARCH_JAVA_OPTS OPENSEARCH_INITIAL_ADMIN_PASSWORD; do
  if [ -n "${!name}" ]; then
    echo "The variable $name is accepted without effect."
  fi
done

exec "$@" "${settings[@]}"
