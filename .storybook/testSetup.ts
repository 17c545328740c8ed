import { configure } from 'storybook/test'
import { inject } from 'vitest'
import type {} from '../test/limits.js'

configure({ asyncUtilTimeout: inject('conditionMs') })

// Colours have less contrast halfway through a transition, and axe may look just then.
const still = document.createElement('style')
still.textContent = '*, ::before, ::after { transition: none !important; animation: none !important }'
document.head.append(still)
