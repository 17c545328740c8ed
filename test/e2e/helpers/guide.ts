import { readSource } from '../../helpers/sources.js'

/** What a guide has its reader do: write these files, and install these packages. */
export type Guide = { files: Map<string, string>; packages: string[] }

const written = ['ts', 'tsx', 'css', 'ini']

/** The file that a sentence names first, as `like/this.ts`. */
const namedFile = (sentence: string): string | undefined => /`([\w.[\]/-]*\.\w+)`/.exec(sentence)?.[1]

const readInstalls = (code: string): string[] =>
  [...code.matchAll(/^\s*npm install (.+)$/gm)]
    .flatMap(([, words]) => (words ?? '').split(' '))
    .filter((word) => !word.startsWith('-'))

/**
 * Reads a guide as its reader does: each block of code is the file that the sentence right before it names, and what
 * `npm install` names is installed.
 */
export const readGuide = (path: string): Guide => {
  const guide: Guide = { files: new Map(), packages: [] }
  let sentence = ''
  let block: { language: string; code: string } | undefined
  for (const line of readSource(path).split('\n')) {
    const fence = /^\s*```(\w*)$/.exec(line)
    if (!block && fence) block = { language: fence[1] ?? '', code: '' }
    else if (block && fence) {
      const file = namedFile(sentence)
      if (block.language === 'sh') guide.packages.push(...readInstalls(block.code))
      else if (file && written.includes(block.language)) guide.files.set(file, block.code)
      block = undefined
    } else if (block) block.code += `${line}\n`
    else if (line.trim() && !line.trim().startsWith('<!--')) sentence = line
  }
  return guide
}
