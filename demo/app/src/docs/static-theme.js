// The first script of each static page: sets the stored theme before anything is drawn, and shows what needs scripts.
document.documentElement.classList.add('has-script');
try {
  const theme = localStorage.getItem('w3a_theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.latchkeyTheme = theme;
} catch (error) {
  console.warn('The stored theme could not be read', error);
}
