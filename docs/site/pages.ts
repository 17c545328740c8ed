/** Markdown of the repository that is no page: documents for contributors, sources, and what `docs/README.md` lists. */
export const excluded: string[] = [
  '!(CHANGELOG).md',
  '!(docs|errors|service)/**/*',
  'docs/{README,mutation-testing}.md',
  'docs/{node_modules,reference}/**',
  'service/{!(README).md,*/**}',
]

const pages: readonly [source: RegExp, page: string][] = [
  [/^docs\/site\/index\.md$/, 'index.md'],
  [/^docs\/api\/README\.md$/, 'reference/index.md'],
  [/^docs\/api\/(.+\.md)$/, 'reference/$1'],
  [/^docs\/((?!README|mutation-testing)[^/]+\.md)$/, '$1'],
  [/^(errors\/.+\.md)$/, '$1'],
  [/^errors\/?$/, 'reference/errors.md'],
  [/^service\/README\.md$/, 'service.md'],
  [/^CHANGELOG\.md$/, 'changes.md'],
  [/^README\.md$/, 'index.md'],
]

/** Returns the page of the site that shows a file or folder of the repository, if there is one. */
export const findPage = (path: string): string | undefined => {
  const row = pages.find(([source]) => source.test(path))
  return row && path.replace(row[0], row[1])
}
