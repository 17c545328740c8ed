import { transform } from 'esbuild'
import { parseDocument } from 'yaml'
import type { CodeBlock } from './documents.js'

/** What is wrong with a text of each language that is read here, in a sentence each. */
const parsers: Readonly<Record<string, (code: string) => Promise<string[]>>> = {
  css: async (code) => (await transform(code, { loader: 'css' })).warnings.map(({ text }) => text),
  ini: async (code) => code.split('\n').filter((line) => !/^(#.*|[A-Z]\w*=.*)?$/.test(line)),
  json: async (code) => {
    JSON.parse(code)
    return []
  },
  yaml: async (code) => parseDocument(code).errors.map(({ message }) => message),
}

/** Whether a language is read by {@link parseBlock}. */
export const isParsed = (language: string): boolean => language in parsers

/** What is wrong with a block of CSS, JSON, YAML or settings, as `file:line: message`. */
export const parseBlock = async ({ file, line, language, code }: CodeBlock): Promise<string[]> => {
  const where = (problem: unknown): string =>
    `${file}:${line}: ${problem instanceof Error ? problem.message : problem}`
  const parse = parsers[language]
  return parse
    ? parse(code).then(
        (found) => found.map(where),
        (error: unknown) => [where(error)],
      )
    : []
}
