import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { CONTENT_SECURITY_POLICY, PAGE_HEADERS } from './csp.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Writes the policy into the built pages, so that it holds on hosts that send no headers of ours. */
const policyInPages: Plugin = {
  name: 'policy-in-pages',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
      injectTo: 'head-prepend',
    },
  ],
};

// A sandboxed frame has the origin `null`, and its module scripts are fetched with CORS.
const cors = { origin: '*' };

export default defineConfig({
  root: path('.'),
  base: './',
  // A file that is not there is a 404, not the first page.
  appType: 'mpa',
  publicDir: path('../static'),
  cacheDir: path('../node_modules/.vite'),
  plugins: [policyInPages],
  server: { headers: PAGE_HEADERS, cors },
  preview: { headers: PAGE_HEADERS, cors },
  worker: { format: 'es' },
  build: {
    outDir: path('../dist'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, and every browser of the target knows modulepreload.
    modulePreload: { polyfill: false },
    manifest: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: {
        // A chunk of its own is evaluated before what it is imported beside.
        early: path('src/app/early.ts'),
        playground: path('index.html'),
        embed: path('embed.html'),
        // The public file of `<stream-glass>`: a fixed name, other pages link to it.
        streamglass: path('src/app/embed.ts'),
      },
      preserveEntrySignatures: 'exports-only',
      output: {
        entryFileNames: (chunk) =>
          chunk.name === 'streamglass' ? 'streamglass.js' : 'assets/[name]-[hash].js',
      },
    },
  },
});
