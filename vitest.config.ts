import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests that want a cache name one of their own.
    env: { WASMHOOK_CACHE_DIR: "" },
    setupFiles: ["test/no-console.ts"],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // The tests run what ships: `#src/*` resolves to dist/, loaded by Node itself.
    server: { deps: { external: [/\/dist\//] } },
  },
});
