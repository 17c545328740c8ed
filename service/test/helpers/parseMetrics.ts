/** One line of a scrape with a value. */
export type Sample = { name: string; labels: Record<string, string>; value: number }
/** One metric of a scrape. */
export type Family = { help: string; type: string; samples: Sample[] }

const helpLine = /^# HELP ([a-zA-Z_:][\w:]*) (.+)$/
const typeLine = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/
const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const label = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

const readLabels = (text: string): Record<string, string> => {
  const labels: Record<string, string> = {}
  for (let rest = text; rest; ) {
    const [whole, name, value] = label.exec(rest) ?? []
    if (!whole || !name || value === undefined || name in labels) throw new Error(`bad labels: ${text}`)
    labels[name] = value
    rest = rest.slice(whole.length)
  }
  return labels
}

const readValue = (text: string): number => {
  if (/^nan$/i.test(text)) return Number.NaN
  const value = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text)
  if (Number.isNaN(value)) throw new Error(`bad value: ${text}`)
  return value
}

/**
 * Parses Prometheus text strictly: every line is valid, every metric is described once before its first
 * value, and no value appears twice.
 */
export const parseMetrics = (text: string): Map<string, Family> => {
  const families = new Map<string, Family>()
  const helps = new Map<string, string>()
  const seen = new Set<string>()
  for (const line of text.split('\n').filter(Boolean)) {
    const [, helped, help] = helpLine.exec(line) ?? []
    const [, typed, type] = typeLine.exec(line) ?? []
    if (helped && help) helps.set(helped, help)
    else if (typed && type) {
      const said = helps.get(typed)
      if (!said || families.has(typed)) throw new Error(`${typed}: no help, or twice a type`)
      families.set(typed, { help: said, type, samples: [] })
    } else {
      const [, name = '', labels = '', value = ''] = sampleLine.exec(line) ?? []
      const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
      if (!family || seen.has(`${name}{${labels}}`)) throw new Error(`not understood, or told twice: ${line}`)
      seen.add(`${name}{${labels}}`)
      family.samples.push({ name, labels: readLabels(labels), value: readValue(value) })
    }
  }
  return families
}
