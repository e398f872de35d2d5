# syntax=docker/dockerfile:1

# The runtime is the one that package.json pins; both move together.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc prisma.config.ts ./
COPY prisma prisma
COPY scripts/bundle.ts scripts/bundle.ts
COPY tsconfig.json ./
COPY src src
COPY kit kit
# No install scripts: what matters, the database client and the files of the pages, is made by name. What builds is then removed, and so is
# the packaged runtime: the image has its own. Migrations run through the engine's WebAssembly build.
RUN npm install --ignore-scripts \
    && node node_modules/prisma-command-line/build/index.js generate \
    && node scripts/bundle.ts \
    && npm prune --omit=dev --ignore-scripts \
    && npm uninstall --no-save --omit=dev --ignore-scripts node

FROM node:24.21.0-bookworm-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY prisma prisma
COPY src src
COPY docs docs
COPY kit kit
COPY --from=packages /app/src/platform/database/generated src/platform/database/generated
COPY --from=packages /app/src/pages/bundle src/pages/bundle
# Releases and replays, when no bucket is configured; a volume of one's own keeps them.
ENV STORAGE_DIR=/data/storage
RUN mkdir -p /data/storage && chown -R node:node /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
