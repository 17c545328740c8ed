import type { ParseInstruction } from './parser.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a memo: its text. */
export const parseMemo: ParseInstruction = (_, data) => decoder.decode(data)
