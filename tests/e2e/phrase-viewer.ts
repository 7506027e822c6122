// What the tests of the phrase viewer share: its parts, and what a user does there.
import type { FrameLocator, Page } from '@playwright/test';
import type { RecoveryKeyResult, RestoredAccount } from 'latchkey';
import { keyViewer } from '../support/steps.js';
import type { OpenFacade } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

export const button = (viewer: FrameLocator, name: string) =>
  viewer.getByRole('button', { name, exact: true });
export const field = (viewer: FrameLocator, position: number) =>
  viewer.getByRole('textbox', { name: `Word ${position}`, exact: true });
export const wordsOf = (viewer: FrameLocator) => viewer.getByRole('list', { name: 'Your recovery phrase' });

export const startAdding = ({ page }: OpenFacade, accountId: string): Promise<RecoveryKeyResult> =>
  page.evaluate((nearAccountId) => facade.manager.addRecoveryKey({ nearAccountId }), accountId);

export const startRestoring = ({ page }: OpenFacade, accountId?: string): Promise<RestoredAccount> =>
  page.evaluate(
    (nearAccountId) => facade.manager.recoverWithPhrase(nearAccountId === undefined ? {} : { nearAccountId }),
    accountId,
  );

/** Presses until the words show: a press that comes too soon does not count. Returns the words. */
export async function showWords(viewer: FrameLocator): Promise<string[]> {
  const list = wordsOf(viewer);
  await button(viewer, 'Show the words').waitFor();
  await expect(async () => {
    if (!(await list.isVisible())) await button(viewer, 'Show the words').click({ timeout: 1_000 });
    await expect(list).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return list.getByRole('listitem').allTextContents();
}

export const words = (page: Page): Promise<string[]> => showWords(keyViewer(page));

/** Types the two words that the viewer asks for, and goes on. */
export async function typeTwo(page: Page, phrase: readonly string[]): Promise<void> {
  const viewer = keyViewer(page);
  await button(viewer, 'I wrote them down').click();
  const labels = await viewer.locator('label').allTextContents();
  expect(labels).toHaveLength(2);
  for (const label of labels) {
    const position = Number(label.replace('Word ', ''));
    await field(viewer, position).fill(phrase[position - 1] ?? '');
  }
  await button(viewer, 'Continue').click();
}

export async function typePhrase(viewer: FrameLocator, phrase: readonly string[]): Promise<void> {
  for (const [at, word] of phrase.entries()) await field(viewer, at + 1).fill(word);
  await button(viewer, 'Continue').click();
}
