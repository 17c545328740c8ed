/** A rule of a stylesheet: its selector or at-rule, what it declares, and the rules inside it. */
export type Rule = { head: string; declarations: [property: string, value: string][]; rules: Rule[] }

/** Reads a stylesheet without its comments, as deep as its rules are nested. */
export const readStyles = (css: string): Rule => {
  const sheet: Rule = { head: '', declarations: [], rules: [] }
  const open = [sheet]
  for (const [, text = '', mark] of css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]*)([{};])/g)) {
    const words = text.trim().replace(/\s+/g, ' ')
    const inside = open.at(-1) ?? sheet
    const colon = words.indexOf(':')
    if (mark === '{') {
      const rule: Rule = { head: words, declarations: [], rules: [] }
      inside.rules.push(rule)
      open.push(rule)
    } else {
      if (colon > 0) inside.declarations.push([words.slice(0, colon), words.slice(colon + 1).trim()])
      else if (words) inside.rules.push({ head: words, declarations: [], rules: [] })
      if (mark === '}') open.pop()
    }
  }
  return sheet
}

/** A rule and every rule inside it. */
export const listRules = (rule: Rule): Rule[] => [rule, ...rule.rules.flatMap(listRules)]
