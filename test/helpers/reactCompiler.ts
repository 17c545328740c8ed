import { transformAsync } from '@babel/core'
import type { Plugin } from 'vite'

/** What the React Compiler made of a module, and what it said of each function that it left alone. */
export type CompiledModule = { code: string; map: object | undefined; compiled: number; complaints: string[] }

/** An event of the compiler's logger, as far as it is read here. */
type CompilerEvent = {
  kind: string
  fnLoc: { start: { line: number } } | null
  detail?: { reason?: string; options?: { reason?: string } }
  reason?: string
  data?: string
}

/**
 * Compiles a module of TypeScript as an app does that uses the React Compiler. It goes on where the compiler
 * gives up, as an app's build does, and tells of it in `complaints`.
 */
export const compileForReact = async (source: string, file: string): Promise<CompiledModule> => {
  const complaints: string[] = []
  let compiled = 0
  const logEvent = (_: string | null, event: CompilerEvent) => {
    if (event.kind === 'CompileSuccess') compiled++
    else {
      const { detail, reason = detail?.options?.reason ?? detail?.reason ?? event.data } = event
      complaints.push(`${file}:${event.fnLoc?.start.line ?? 0} ${event.kind}: ${reason}`)
    }
  }
  const result = await transformAsync(source, {
    filename: file,
    configFile: false,
    babelrc: false,
    sourceMaps: true,
    presets: [['@babel/preset-typescript', { onlyRemoveTypeImports: true }]],
    parserOpts: { plugins: ['jsx'] },
    plugins: [
      ['babel-plugin-react-compiler', { target: '19', panicThreshold: 'none', logger: { logEvent } }],
    ],
  })
  if (typeof result?.code !== 'string') throw new Error(`${file} became nothing`)
  return { code: result.code, map: result.map ?? undefined, compiled, complaints }
}

/** Compiles this repository's library, its stories and its tests with the React Compiler, for the tests that run. */
export const reactCompiler = (): Plugin => ({
  name: 'react-compiler',
  enforce: 'pre',
  async transform(source, id) {
    const file = id.replace(/\?.*/, '')
    if (!/\/(src|stories|test)\/.*\.tsx?$/.test(file) || file.includes('/node_modules/')) return undefined
    const { code, map = null, compiled } = await compileForReact(source, file)
    return compiled === 0 ? undefined : { code, map: map && JSON.stringify(map) }
  },
})
