// The plugin puts a module into the share scope only if the host imports it somewhere.
import '@shop/shared/domain';
import '@shop/shared/forms';
import '@shop/shared/i18n';
import '@shop/shared/money';
import '@shop/shared/state';
import '@shop/shared/ui';
