import { readSource } from './sources.js'

/** One block of code in a document, where it is, and the comment right above it, which says what it is. */
export type CodeBlock = { file: string; line: number; language: string; code: string; mark: string }

/** Every fenced block of a text; inside a doc comment the leading stars are not part of it. */
export const readCodeBlocks = (file: string, text = readSource(file)): CodeBlock[] => {
  const blocks: CodeBlock[] = []
  let open: CodeBlock | undefined
  let mark = ''
  text.split('\n').forEach((raw, index) => {
    const line = file.endsWith('.md') ? raw : raw.replace(/^\s*\* ?/, '')
    const fence = /^\s*```(\w*)\s*$/.exec(line)
    if (fence && !open) open = { file, line: index + 1, language: fence[1] ?? '', code: '', mark }
    else if (fence && open) {
      blocks.push(open)
      open = undefined
    } else if (open) open.code += `${line}\n`
    if (line.trim() !== '') mark = /^<!-- (.+) -->$/.exec(line.trim())?.[1] ?? ''
  })
  return blocks
}

/** Commands of a block of shell: comments and the setting of variables are none, and a line may go on below. */
export const readCommands = ({ code }: Pick<CodeBlock, 'code'>): string[] =>
  code
    .replace(/\s*\\\n\s*/g, ' ')
    .replace(/'[^']*'/g, (quoted) => quoted.replace(/\n\s*/g, ' '))
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '' && !/^\w+=\S*$/.test(line))

/** The text of a document without its blocks of code. */
export const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

/** What the package says of itself. */
export type Package = {
  scripts: Record<string, string>
  exports: Record<string, string | Record<string, string>>
}

/** The package's own description, as it is in the clone. */
export const readPackage = (): Package => JSON.parse(readSource('package.json'))
