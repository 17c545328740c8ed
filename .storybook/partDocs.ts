import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { type Declarations, readDeclarations } from './declarations.js'
import { readPartProps } from './readPartProps.js'
import { readPartState } from './readPartState.js'

const sources = fileURLToPath(new URL('../src', import.meta.url))

const readAll = (): Declarations =>
  new Map(
    readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => readDeclarations(file, readFileSync(join(sources, file), 'utf8'))),
  )

/** Hangs onto each part what it takes and what its state is, for its page, as Storybook itself hangs on its comment. */
export const partDocs = (): Plugin => {
  let all: Declarations | undefined
  return {
    name: 'kassa:part-docs',
    enforce: 'pre',
    transform(code, id) {
      const name = /^export function (Checkout\w+)\(/m.exec(code)?.[1]
      if (!id.startsWith(sources) || !name) return
      all ??= readAll()
      const docs = { props: readPartProps(name, all), state: readPartState(name, all) }
      // One line more at the end moves none of the others.
      return { code: `${code}\n;${name}.__partDocs = ${JSON.stringify(docs)}`, map: null }
    },
  }
}
