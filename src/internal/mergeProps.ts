/** Props of any element. */
export type AnyProps = Record<string, unknown>

const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === 'function'

const isHandler = (name: string): boolean => /^on[A-Z]/.test(name)

const isPrevented = (event: unknown): boolean =>
  typeof event === 'object' &&
  event !== null &&
  'defaultPrevented' in event &&
  event.defaultPrevented === true

const mergeHandlers = (ours: unknown, theirs: unknown): unknown => {
  if (!isFunction(ours) || !isFunction(theirs)) return theirs ?? ours
  return (...args: unknown[]) => {
    const result = theirs(...args)
    if (!isPrevented(args[0])) ours(...args)
    return result
  }
}

const mergeStyles = (ours: unknown, theirs: unknown): unknown =>
  ours && theirs ? { ...ours, ...theirs } : (theirs ?? ours)

const mergeClassNames = (ours: unknown, theirs: unknown): unknown =>
  [ours, theirs].filter(Boolean).join(' ') || undefined

/**
 * Merges the caller's props over a part's own. The caller's values win, and classes and styles are combined.
 * Of two handlers the caller's runs first and can skip the part's with `event.preventDefault()`. A hook
 * merges refs elsewhere.
 */
export const mergeProps = (ours: AnyProps, theirs: AnyProps): AnyProps => {
  const merged: AnyProps = { ...ours }
  for (const [name, value] of Object.entries(theirs)) {
    if (name === 'className') merged[name] = mergeClassNames(ours[name], value)
    else if (name === 'style') merged[name] = mergeStyles(ours[name], value)
    else if (isHandler(name)) merged[name] = mergeHandlers(ours[name], value)
    else if (value !== undefined) merged[name] = value
  }
  return merged
}
