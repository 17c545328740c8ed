import { readSource } from './sources.js'

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
