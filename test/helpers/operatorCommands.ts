import { runCli } from '../../service/src/entry/cli/runCli.js'
import { type CodeBlock, readCodeBlocks, readCommands } from './documents.js'

/** Every command as the operator's own help has it: `keys create`, `migrate`. */
export const listOperatorCommands = async (): Promise<string[]> => {
  let help = ''
  const out = (text: string) => {
    help += text
  }
  await runCli(['help'], { env: {}, out, err: out })
  const lines = help.matchAll(/^ {2}kassa-service ([a-z]+(?: [a-z]+)?)/gm)
  return [...new Set(['help', ...[...lines].map(([, words = '']) => words)])]
}

/** The words that follow the program's name in every command of the operator that a document has the reader type. */
export const readOperatorCommands = (file: string): string[][] =>
  readCodeBlocks(file)
    .filter(({ language, mark }) => language === 'sh' && mark !== 'on your machine')
    .flatMap(readCommands)
    .flatMap((command) => {
      const words = /^(?:npx kassa-service|kassa-service|npm run kassa --) (.+)$/.exec(command)?.[1]
      return words === undefined ? [] : [words.split(' ')]
    })

const fromBlock = ({ language, code }: CodeBlock): string[] => (language === 'sh' ? code.split('\n') : [])

/** What a text tells an operator to type, in its blocks of shell and in its sentences. */
const readTyped = (file: string, text: string): string[] => [
  ...readCodeBlocks(file, text).flatMap(fromBlock),
  ...[...text.matchAll(/(?<!`)\\?`([^`\n\\]+)\\?`(?!`)/g)].map(([, inline = '']) => inline),
]

/** Commands of the operator that a text names and that are none, or are called by the library's name. */
export const findUnknownCommands = (commands: readonly string[], file: string, text: string): string[] => {
  const groups = [...new Set(commands.map((command) => command.split(' ')[0] ?? ''))]
  return readTyped(file, text).flatMap((typed) => {
    const [, program = '', group = '', word = ''] =
      /^(?:npx )?(npm run kassa --|kassa-service|kassa) ([a-z]+)(?: ([a-z]+))?/.exec(typed.trim()) ?? []
    if (!program || (program === 'kassa' && !groups.includes(group))) return []
    const isKnown =
      commands.includes(group) || commands.includes(`${group} ${word}`) || (!word && groups.includes(group))
    return program !== 'kassa' && isKnown ? [] : [`${file}: ${typed.trim()}`]
  })
}
