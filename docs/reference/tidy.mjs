/** The anchor that a heading has by itself. @param {string} heading */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/**
 * Takes out of a page what helps no reader: blocks that say no more than the table below them, headings in the words of a
 * compiler, and anchors that the heading has anyway or to which nothing on the page leads.
 * @param {string} page
 */
export const tidy = (page) => {
  const wanted = new Set([...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor))
  return page
    .replace(/```ts\ntype [^=\n]* = \{\n(?:[ [].*\n)*\};\n```\n\n/g, '')
    .replace(/^(#+) Type Declaration$/gm, '$1 Fields')
    .replace(/<a id="([\w-]+)"><\/a> (?=`)/g, (anchor, id) => (wanted.has(id) ? anchor : ''))
    .replace(/^<a id="([\w-]+)"><\/a>\n\n(#+ (.*)\n)/gm, (both, id, line, heading) =>
      anchorOf(heading) === id || !/^#{2,3} /.test(line) ? line : both,
    )
}
