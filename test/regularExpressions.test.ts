import { checkSync } from 'recheck'
import ts from 'typescript-5.9'
import { expect, test } from 'vitest'
import { listSources, readSource } from './helpers/sources.js'

/** The analyser in JavaScript: its native builds are optional packages that not every machine installs. */
process.env.RECHECK_BACKEND = 'pure'

const verdictsPath = 'test/regularExpressions.md'

/** A smaller search than the default, for the expressions whose bounds the analyser cannot prove. */
const effort = {
  timeout: null,
  maxIteration: 2,
  incubationLimit: 2_500,
  attackLimit: 1_000_000,
  maxRecallStringSize: 1_000,
  recallLimit: 100_000,
  seedingLimit: 200,
}

/** Expressions that are put together at run time, by file, and why none of them can be slow. */
const built: Readonly<Record<string, string>> = {
  'service/src/interface/http/findMethods.ts':
    'segments that cannot overlap, made of the routes of the service',
  'service/src/interface/openapi/examples.ts': 'the patterns of the schemas, tested on examples written here',
  'service/src/entry/createLog.ts': 'alternatives without repetition: the secrets of the settings, escaped',
  'service/src/base/config/settings.ts': 'a fixed prefix and 64 hex digits',
  'service/src/base/lib/contentTypeOf.ts': 'anchored, and tested on the first 1,024 bytes only',
}

type Found = { literals: ReadonlySet<string>; builders: ReadonlySet<string> }

const findExpressions = (): Found => {
  const literals = new Set<string>()
  const builders = new Set<string>()
  for (const path of ['src', 'service/src'].flatMap((folder) => listSources(folder, /\.(ts|tsx|mjs)$/))) {
    const text = readSource(path)
    const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) literals.add(node.text)
      const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
      if (isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') builders.add(path)
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind))
  }
  return { literals, builders }
}

/** Whether a literal repeats anything without a limit; the others take no longer than their bounds say. */
const isUnbounded = (literal: string): boolean =>
  /[*+]|\{\d+,\}/.test(literal.replace(/\\./g, '').replace(/\[[^\]]*\]/g, ''))

const check = (literal: string): string => {
  const end = literal.lastIndexOf('/')
  const result = checkSync(literal.slice(1, end), literal.slice(end + 1), effort)
  if (result.status === 'safe') return 'linear'
  return result.status === 'vulnerable' ? result.complexity.summary : `unknown: ${result.error.kind}`
}

const { literals, builders } = findExpressions()

/** Analysing all of them takes half a minute, so verdicts are kept; an expression that is not among them is analysed. */
const readVerdicts = (): Map<string, string> =>
  new Map(
    [...readSource(verdictsPath).matchAll(/^- (.+?): `` (.+) ``$/gm)].map(
      ([, verdict = '', literal = '']) => [literal, verdict],
    ),
  )

const page = (verdicts: readonly (readonly [string, string])[]): string =>
  [
    '# Regular expressions',
    '',
    'Each regular expression of `src` and `service/src` that repeats something without a limit, as the analyser `recheck` judges it. Written by `npm run fix`.',
    '',
    ...verdicts.map(([literal, verdict]) => `- ${verdict}: \`\` ${literal} \`\``),
    '',
  ].join('\n')

test('default', async () => {
  const known = readVerdicts()
  const verdicts = [...literals]
    .filter(isUnbounded)
    .sort()
    .map((literal) => [literal, known.get(literal) ?? check(literal)] as const)
  expect(verdicts.length).toBeGreaterThan(50)
  expect(verdicts.filter(([, verdict]) => verdict !== 'linear')).toEqual([])
  await expect(page(verdicts)).toMatchFileSnapshot('./regularExpressions.md')
})

test('behavior: an expression that is put together at run time is reviewed', () => {
  expect([...builders].sort()).toEqual(Object.keys(built).sort())
})

test('error: an expression that takes longer than its text is long', () => {
  expect(check('/(\\w+:\\/\\/[^\\s:/@"]*):[^\\s/@"]+@/g')).toContain('polynomial')
  expect(isUnbounded('/^[*+]{1,9}\\+$/')).toBe(false)
})
