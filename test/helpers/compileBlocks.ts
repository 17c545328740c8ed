import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CodeBlock } from './documents.js'
import { root } from './sources.js'

/** What every bundler says of stylesheets, and the file of a guide that another one imports. */
const stylesheets = `declare module '*/submit' {
  export const Submit: () => import('react').ReactElement
}
declare module '*.css'
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
`

/** A block that says which file it would lie beside (`beside path`) imports what that file would. */
const place = ({ code, mark }: CodeBlock): string => {
  const [, beside] = /^beside (\S+)$/.exec(mark) ?? []
  if (beside === undefined) return code
  return code
    .replace(/(from ')#([^']+)/g, (_, from, path) => from + join(root, 'service/src', path))
    .replace(/(from ')(\.[^']+)/g, (_, from, path) => from + join(root, dirname(beside), path))
}

/** Returns the compiler's errors for TypeScript blocks, each a separate module, as `file:line: message`. */
export const compileBlocks = (name: string, blocks: readonly CodeBlock[]): string[] => {
  const folder = join(root, '.kassa/docs-test', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  blocks.forEach((block, index) => {
    writeFileSync(join(folder, `block${index}.${block.language}`), place(block))
  })
  writeFileSync(join(folder, 'stylesheets.d.ts'), stylesheets)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        moduleDetection: 'force',
        // As an app's bundler reads them: not every package of an app says where its modules are.
        module: 'preserve',
        moduleResolution: 'bundler',
        types: ['node', 'react'],
      },
      include: ['*'],
    }),
  )
  try {
    execFileSync(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      folder,
      '--pretty',
      'false',
    ])
    return []
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
    return output
      .trim()
      .split('\n')
      .map((line) =>
        line.replace(/^\S*block(\d+)\.tsx?\((\d+),\d+\)/, (_, index, inside) => {
          const block = blocks[Number(index)]
          return block ? `${block.file}:${block.line + Number(inside)}` : line
        }),
      )
  }
}
