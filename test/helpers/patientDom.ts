import { configure } from '@testing-library/react'
import { limits } from '../limits.js'

configure({ asyncUtilTimeout: limits.conditionMs })
