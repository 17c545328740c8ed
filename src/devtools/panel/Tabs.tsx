import { type KeyboardEvent, type ReactElement, type ReactNode, type Ref, useId } from 'react'

/** A tab and its content. */
export type Tab<Name extends string> = { name: Name; title: string; content: ReactNode }

type Props<Name extends string> = {
  label: string
  tabs: readonly Tab<Name>[]
  selected: Name
  onSelect(name: Name): void
  /** The selected tab. */
  ref: Ref<HTMLButtonElement>
}

const target = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowRight: (at + 1) % count, ArrowLeft: (at + count - 1) % count, Home: 0, End: count - 1 })[key]

/** Renders a tab list, which arrow keys move through, and the content of the selected tab. */
export const Tabs = <Name extends string>(props: Props<Name>): ReactElement => {
  const { label, tabs, selected, onSelect, ref } = props
  const id = useId()
  const idOf = (name: Name): string => `${id}-${name}`
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = tabs.findIndex(({ name }) => name === selected)
    const next = tabs[target(event.key, at, tabs.length) ?? -1]
    if (!next) return
    event.preventDefault()
    // The key press must not reach the app.
    event.stopPropagation()
    onSelect(next.name)
    event.currentTarget.querySelector<HTMLElement>(`[data-name="${next.name}"]`)?.focus()
  }
  return (
    <>
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            ref={name === selected ? ref : undefined}
            type="button"
            role="tab"
            id={idOf(name)}
            data-name={name}
            aria-selected={name === selected}
            aria-controls={`${id}-panel`}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {title}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div key={selected} role="tabpanel" id={`${id}-panel`} aria-labelledby={idOf(selected)} tabIndex={0}>
        {tabs.find(({ name }) => name === selected)?.content}
      </div>
    </>
  )
}
