import type { Page } from '@playwright/test';
import { submitLoginMenu } from 'latchkey-dev/playwright';

/** Asks for a new account of this name. */
export const register = (page: Page, name: string): Promise<void> => submitLoginMenu(page, 'Register', name);
