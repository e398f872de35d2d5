// Runs in the browser, on the page of the HTTP reference, before Swagger UI starts.
(() => {
  // Its part of the page that is left out is named by its starter all the same.
  window.SwaggerUIStandalonePreset = [];

  // Searches names and texts of operations, not their groups alone. Groups and operations are maps of Immutable.
  window.searchOperations = (groups, phrase) => {
    const words = phrase.toLowerCase().split(/\s+/);
    const isFound = (one) => {
      const { path, method, operation } = one.toJS();
      const { operationId, summary, description, tags } = operation;
      const text = [method, path, operationId, summary, description, tags].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    };
    return groups
      .map((group) => group.set('operations', group.get('operations').filter(isFound)))
      .filter((group) => group.get('operations').size > 0);
  };

  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
})();
