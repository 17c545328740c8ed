import { listSources, readSource } from './sources.js'

const patterns = [
  /useRender\(\s*'[a-z]+',\s*'([a-z-]+)'/g,
  /use(?:Amount|Charge)\(\s*'([a-z-]+)'/g,
  /data-kassa="([a-z-]+)"/g,
]

/** Every name that the library writes in `data-kassa`, where a theme finds it. */
export const listPartNames = (): string[] => {
  const sources = listSources('src/components', /\.tsx?$/).map((file) => readSource(file))
  const find = (pattern: RegExp): string[] =>
    sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = '']) => name))
  const forms = find(/useOrderForm\(\s*'(\w+)'/g).map((kind) => `${kind.toLowerCase()}-form`)
  return [...new Set([...patterns.flatMap(find), ...forms])].sort()
}
