// The asynchronous boundary that Module Federation's documentation asks for: shared modules load before the application.
import('./app');
