import { defineConfig, type UserConfig } from 'vite';

const config: UserConfig = defineConfig({
  root: import.meta.dirname,
  // The page does not know where it is served from.
  base: './',
  oxc: {
    // The page is the same whatever NODE_ENV says where it is built.
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // `light-dark()` and nesting go out as they are written.
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // The policy of the page allows no data: but for images.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});

export default config;
