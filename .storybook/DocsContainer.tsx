import { DocsContainer as Container, type DocsContainerProps } from '@storybook/addon-docs/blocks'
import { type ReactNode, useEffect, useState } from 'react'
import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events'
import { addons } from 'storybook/preview-api'
import { themes } from 'storybook/theming'

type Change = { globals: { theme?: string } }

// Kept outside the component, because a page opens after the first event.
let current = new URLSearchParams(location.search).get('globals')?.includes('theme:dark') ? 'dark' : 'light'

const keep = ({ globals }: Change): void => {
  current = globals.theme === 'dark' ? 'dark' : 'light'
}
addons.getChannel().on(SET_GLOBALS, keep)
addons.getChannel().on(GLOBALS_UPDATED, keep)

/** A page of documentation in the theme that the toolbar chooses for the stories. */
export function DocsContainer(props: DocsContainerProps & { children?: ReactNode }) {
  const [theme, setTheme] = useState(current)
  useEffect(() => {
    const channel = addons.getChannel()
    const update = (): void => setTheme(current)
    update()
    channel.on(GLOBALS_UPDATED, update)
    return () => channel.off(GLOBALS_UPDATED, update)
  }, [])
  return <Container {...props} theme={theme === 'dark' ? themes.dark : themes.light} />
}
