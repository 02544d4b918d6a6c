<?php
// What the tests' wiki adds to the LocalSettings.php that MediaWiki's installer wrote. Addresses look as on Wikipedia.

$wgScriptPath = '/w';
$wgResourceBasePath = '/w';
$wgArticlePath = '/wiki/$1';
$wgServer = 'http://' . ( $_SERVER['HTTP_HOST'] ?? '127.0.0.1' ); // the port is known only when it is served
$wgCanonicalServer = $wgServer;
$wgDefaultSkin = 'vector-2022';

// Compiled messages stand in files: the default, a database, takes a write lock that four PHP workers would wait for.
$wgCacheDirectory = __DIR__ . '/cache';
$wgLocalisationCacheConf = [ 'class' => LocalisationCache::class, 'store' => 'array', 'manualRecache' => true ];
$wgMainCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_NONE;
$wgMessageCacheType = CACHE_NONE;
$wgSessionCacheType = CACHE_DB;

$wgJobRunRate = 0;
$wgEnableEmail = false;
$wgPingback = false;
$wgDisableCounters = true;
$wgShowExceptionDetails = false;
$wgDeprecationReleaseLimit = '1.0';
error_reporting( 0 );
ini_set( 'display_errors', '0' );

// English pages in a Chinese wiki and the other way round: text is shown as it was written, in no other variant.
$wgDisableLangConversion = true;
