# Image of a node with the contract of opensearchproject/opensearch (docs/recipes/container.md):
#   docker build --tag orrery . && docker run --rm --publish 9200:9200 --env discovery.type=single-node orrery
FROM node:24-bookworm-slim AS build
WORKDIR /orrery
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund
RUN node scripts/bundle.mjs --cli && node docker/assemble.mjs /image

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Orrery" \
      org.opencontainers.image.description="One node of an OpenSearch-compatible search cluster" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /image /
# Folders that a node writes: for its own user, and for any other user of the group root.
RUN groupadd --gid 1000 opensearch \
 && useradd --uid 1000 --gid 1000 --no-create-home --home-dir /usr/share/opensearch --shell /bin/bash opensearch \
 && cd /usr/share/opensearch \
 && install --directory --owner=1000 --group=0 --mode=2770 data logs secret \
 && install --directory --owner=1000 --group=0 --mode=0755 lib/compiled \
 && chown -R 1000:0 config && chmod -R g=u config
ENV HOME=/usr/share/opensearch \
    NODE_COMPILE_CACHE=/usr/share/opensearch/lib/compiled \
    PATH=/usr/share/opensearch/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /usr/share/opensearch
USER 1000
RUN --mount=type=bind,source=docker/warm-up.sh,target=/warm-up.sh bash /warm-up.sh
EXPOSE 9200 9300
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=10s --start-period=60s --retries=5 CMD ["/usr/share/opensearch/bin/opensearch-healthcheck"]
ENTRYPOINT ["./opensearch-docker-entrypoint.sh"]
CMD ["opensearch"]
