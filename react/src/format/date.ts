import { locale } from '../texts/locale.js';

/** A day, and its year unless it is this one's, in the words of the page's language. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleDateString(locale(), {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** A day and its time in the words of the page's language. */
export function dateOf(ms: number): string {
  return new Date(ms).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** When the day of a time began on this device's clock, or another one, so many days later. */
export function startOfDay(ms: number, daysLater = 0): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater).getTime();
}
