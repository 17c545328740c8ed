import { readCommands } from '../../helpers/documents.js'
import { readSource } from '../../helpers/sources.js'

/** What a guide has its reader do: write these files, and type these commands. */
export type Guide = { files: Map<string, string>; commands: string[] }

const written = ['ts', 'tsx', 'css', 'ini']

/** The file that a sentence names first, as `like/this.ts`. */
const namedFile = (sentence: string): string | undefined => /`([\w.[\]/-]*\.\w+)`/.exec(sentence)?.[1]

/** Reads a guide as its reader does: each block of code is the file that the sentence right before it names. */
export const readGuide = (path: string): Guide => {
  const guide: Guide = { files: new Map(), commands: [] }
  let sentence = ''
  let block: { language: string; code: string } | undefined
  for (const line of readSource(path).split('\n')) {
    const fence = /^\s*```(\w*)$/.exec(line)
    if (!block && fence) block = { language: fence[1] ?? '', code: '' }
    else if (block && fence) {
      const file = namedFile(sentence)
      if (block.language === 'sh') guide.commands.push(...readCommands(block))
      else if (file && written.includes(block.language)) guide.files.set(file, block.code)
      block = undefined
    } else if (block) block.code += `${line}\n`
    else if (line.trim() && !line.trim().startsWith('<!--')) sentence = line
  }
  return guide
}

/** The one command of a guide that begins like this, as the guide has it. */
export const findCommand = ({ commands }: Guide, start: string): string => {
  const [found, ...others] = commands.filter((command) => command.startsWith(start))
  if (!found || others.length > 0) throw new Error(`the guide has ${others.length ? 'two' : 'no'} ${start}`)
  return found
}
