/** How to get what hooks in JavaScript and TypeScript are built with. */
export const JS_TOOLS = "get it with: npm install --save-dev componentize-qjs@0.4 esbuild";
