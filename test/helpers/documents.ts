import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSource, root } from './sources.js'

/** One block of code in a document, and where it is. */
export type CodeBlock = { file: string; line: number; language: string; code: string }

/** Every fenced block of a text; inside a doc comment the leading stars are not part of it. */
export const readCodeBlocks = (file: string, text = readSource(file)): CodeBlock[] => {
  const blocks: CodeBlock[] = []
  let open: CodeBlock | undefined
  text.split('\n').forEach((raw, index) => {
    const line = file.endsWith('.md') ? raw : raw.replace(/^\s*\* ?/, '')
    const fence = /^```(\w*)\s*$/.exec(line)
    if (fence && !open) open = { file, line: index + 1, language: fence[1] ?? '', code: '' }
    else if (fence && open) {
      blocks.push(open)
      open = undefined
    } else if (open) open.code += `${line}\n`
  })
  return blocks
}

/** What the compiler has to say about blocks of TypeScript, each a module of its own, as `file:line: message`. */
export const compileBlocks = (name: string, blocks: readonly CodeBlock[]): string[] => {
  const folder = join(root, '.kassa/docs-test', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  blocks.forEach(({ language, code }, index) => {
    writeFileSync(join(folder, `block${index}.${language}`), code)
  })
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { moduleDetection: 'force', types: ['node', 'react'] },
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

/** An export, where it is, and its doc comment's text without stars, if it has one. */
export type DocumentedExport = { file: string; line: number; name: string; comment: string | undefined }

/** Everything a source declares and exports; re-exports are documented where they are declared. */
export const readExports = (file: string, text = readSource(file)): DocumentedExport[] => {
  const lines = text.split('\n')
  const seen = new Set<string>()
  return lines.flatMap((line, index): DocumentedExport[] => {
    const match =
      /^export (?:default )?(?:declare |abstract |async )*(?:const|let|function\*?|class|type|interface) (\w+)/.exec(
        line,
      )
    const name = match?.[1]
    // Overloads share the comment of the first one; a schema and its type share one name.
    if (name === undefined || seen.has(name)) return []
    seen.add(name)
    let end = index - 1
    while (/^\s*(\/\/|@|'use client'$)/.test(lines[end] ?? '')) end--
    if (!lines[end]?.trimEnd().endsWith('*/')) return [{ file, line: index + 1, name, comment: undefined }]
    let start = end
    while (start > 0 && !lines[start]?.trimStart().startsWith('/**')) start--
    const comment = lines
      .slice(start, end + 1)
      .map((text) => text.replace(/^\s*\/?\*{1,2} ?/, '').replace(/\*\/\s*$/, ''))
      .join('\n')
      .trim()
    return [{ file, line: index + 1, name, comment }]
  })
}
