import { addons } from 'storybook/manager-api'
import { create } from 'storybook/theming'

const isDark = matchMedia('(prefers-color-scheme: dark)').matches

addons.setConfig({
  // Roots would stand below the pages that have none, and the devtools above the parts.
  sidebar: { showRoots: false },
  theme: create({ base: isDark ? 'dark' : 'light', brandTitle: 'Kassa' }),
})
