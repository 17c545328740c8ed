import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { drawDiagrams, followLinks, toSlug } from '../markdown.js'
import { excluded, findPage } from '../pages.js'
import { sidebar } from '../sidebar.js'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2436c2"/><path d="M11 7v18M22 7l-9 9 9 9" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`

export default defineConfig({
  title: 'Kassa',
  description: 'Headless checkout for onchain goods',
  lang: 'en-US',
  // The pages are the documents where they lie in the repository.
  srcDir: '../..',
  srcExclude: excluded,
  rewrites: (file) => findPage(file) ?? file,
  outDir: here('../../../.kassa/docs'),
  cacheDir: here('../../../.kassa/docs-cache'),
  head: [['link', { rel: 'icon', href: icon }]],
  markdown: {
    anchor: { slugify: toSlug },
    languageAlias: { caddy: 'nginx' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config: (md) => {
      followLinks(md)
      drawDiagrams(md)
    },
  },
  themeConfig: {
    logo: { src: icon, alt: '' },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // A guide explains what the reference and the pages of errors list.
          searchOptions: { boostDocument: (id: string) => (/^\/(reference|errors)\//.test(id) ? 1 : 4) },
        },
      },
    },
    nav: [
      { text: 'Guide', link: '/quickstart', activeMatch: '^/(?!reference|errors|gallery|$)' },
      { text: 'Gallery', link: '/gallery' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/(reference|errors)/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    externalLinkIcon: true,
  },
  vite: {
    // The live parts are the library's sources, so nothing has to be built before.
    resolve: { conditions: ['@kassa/source'] },
    build: {
      cssTarget: 'esnext',
      chunkSizeWarningLimit: 3_000,
      rollupOptions: {
        // Of sources that are right: 'use client' of every part, and comments of packages.
        onwarn: (warning, warn) => {
          const ignored = ['MODULE_LEVEL_DIRECTIVE', 'SOURCEMAP_ERROR', 'INVALID_ANNOTATION']
          if (!ignored.includes(warning.code ?? '')) warn(warning)
        },
      },
    },
  },
})
